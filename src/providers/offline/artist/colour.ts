/** Colours as `#rrggbb`; the artist mixes and tones them before they reach the canvas. */
export type Rgb = readonly [number, number, number];

export function toRgb(hex: string): Rgb {
  const value = parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

export function toHex(rgb: Rgb): string {
  return `#${rgb
    .map((part) =>
      Math.round(Math.min(255, Math.max(0, part)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

/** `share` 0 gives the first, 1 the second. */
export function mix(first: string, second: string, share: number): string {
  const a = toRgb(first);
  const b = toRgb(second);
  return toHex([a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share]);
}

export function lighter(hex: string, share: number): string {
  return mix(hex, '#ffffff', share);
}

export function darker(hex: string, share: number): string {
  return mix(hex, '#1b1a24', share);
}

/** Perceived brightness, 0 to 1. */
export function luminance(hex: string): number {
  const [r, g, b] = toRgb(hex);
  return (0.299 * r + 0.587 * g + 0.114 * b) / 255;
}

export function withAlpha(hex: string, alpha: number): string {
  const [r, g, b] = toRgb(hex);
  return `rgba(${r},${g},${b},${Math.round(alpha * 1000) / 1000})`;
}

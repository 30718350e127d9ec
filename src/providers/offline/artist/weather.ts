import type { Pen } from './pen';

export type Weather = 'rain' | 'snow' | 'fog' | 'clear';

/** What the words of a shot say of the weather. Korean 비 and 눈 mean other things too, so they count only as words of their own. */
export function weatherOf(text: string): Weather {
  if (
    /\b(rain(s|y|ing)?|storm(s|y)?|downpour|drizzl\w*)\b|(^|[\s.,])비(가|는|를|도|에|[.,!\s]|$)|빗(속|방울|소리|줄기)|폭우|소나기|장마/i.test(
      text,
    )
  )
    return 'rain';
  if (/\b(snow(s|y|ing|fall)?|blizzard)\b|눈이 (내|온|오|쌓)|눈보라|함박눈|눈발/i.test(text)) return 'snow';
  if (/\b(fog(gy)?|mist(y)?|haze)\b|안개/i.test(text)) return 'fog';
  return 'clear';
}

/** Slanting strokes of rain over a box. */
export function rainOn(pen: Pen, x: number, y: number, width: number, height: number, count: number): void {
  const { ctx, random } = pen;
  ctx.beginPath();
  for (let drop = 0; drop < count; drop += 1) {
    const dx = x + random.next() * (width + 40);
    const dy = y + random.next() * height;
    const length = random.between(10, 26);
    ctx.moveTo(dx, dy);
    ctx.lineTo(dx - length * 0.28, dy + length);
  }
  ctx.lineWidth = 1.1;
  ctx.strokeStyle = pen.colour('#f2f6fa', 0.6);
  ctx.stroke();
}

export function snowOn(pen: Pen, width: number, height: number): void {
  const { ctx, random } = pen;
  ctx.fillStyle = pen.colour('#ffffff', 0.9);
  for (let flake = 0; flake < 190; flake += 1) {
    const radius = random.between(0.8, 3.2);
    ctx.beginPath();
    ctx.arc(random.between(0, width), random.between(0, height), radius, 0, Math.PI * 2);
    ctx.fill();
  }
}

/** Banks of fog, thicker to the ground. */
export function fogOn(pen: Pen, width: number, height: number, colour: string): void {
  const { ctx, random } = pen;
  for (let bank = 0; bank < 6; bank += 1) {
    const y = height * random.between(0.35, 0.95);
    const gradient = ctx.createLinearGradient(0, y - 60, 0, y + 60);
    gradient.addColorStop(0, pen.colour(colour, 0.001));
    gradient.addColorStop(0.5, pen.colour(colour, 0.24));
    gradient.addColorStop(1, pen.colour(colour, 0.001));
    ctx.fillStyle = gradient;
    ctx.fillRect(0, y - 60, width, 120);
  }
}

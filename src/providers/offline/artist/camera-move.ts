import type { Pen, Point } from './pen';

const RED = '#b23a30';

/** The arrows of a storyboard: how the camera moves. Nothing for a camera that stands still. */
export function cameraMove(pen: Pen, camera: string, w: number, h: number): void {
  const says = (pattern: RegExp): boolean => pattern.test(camera);
  if (says(/\b(push|dolly|zoom|track\w*|creep\w*|move)s?[ -]?(slow\w* )?in\b|dolly forward|푸시|줌 ?인|다가/i))
    corners(pen, w, h, true);
  else if (says(/\b(pull|dolly|zoom)s?[ -]?(slow\w* )?(out|back)\b|줌 ?아웃|물러/i)) corners(pen, w, h, false);
  else if (says(/pan.*left|left.*pan|왼쪽/i)) arrow(pen, [w * 0.62, h * 0.9], [w * 0.38, h * 0.9]);
  else if (says(/\bpan|track|follow|dolly|steadi|패닝|팬\b|트래킹|따라/i))
    arrow(pen, [w * 0.38, h * 0.9], [w * 0.62, h * 0.9]);
  else if (says(/tilt.*down|crane.*down|boom.*down|틸트 ?다운/i))
    arrow(pen, [w * 0.94, h * 0.32], [w * 0.94, h * 0.68]);
  else if (says(/tilt|crane|boom|틸트|크레인/i)) arrow(pen, [w * 0.94, h * 0.68], [w * 0.94, h * 0.32]);
  if (says(/handheld|hand-held|shak|핸드헬드/i))
    for (const side of [0.03, 0.97])
      pen.curve(
        [
          [w * side, h * 0.36],
          [w * side + 7, h * 0.42],
          [w * side - 7, h * 0.48],
          [w * side + 7, h * 0.54],
          [w * side, h * 0.6],
        ],
        { width: 3, colour: RED },
      );
}

function arrow(pen: Pen, from: Point, to: Point): void {
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const at = (along: number, across: number, base: Point): Point => [
    base[0] + cos * along - sin * across,
    base[1] + sin * along + cos * across,
  ];
  pen.shape(
    [at(0, -7, from), at(-26, -7, to), at(-26, -18, to), to, at(-26, 18, to), at(-26, 7, to), at(0, 7, from)],
    '#f4ead6',
    { width: 2.4, colour: RED },
  );
}

function corners(pen: Pen, w: number, h: number, inwards: boolean): void {
  for (const [sx, sy] of [
    [0.08, 0.2],
    [0.92, 0.2],
    [0.08, 0.88],
    [0.92, 0.88],
  ] as const) {
    const outer: Point = [w * sx, h * sy];
    const inner: Point = [outer[0] + (w / 2 - outer[0]) * 0.14, outer[1] + (h / 2 - outer[1]) * 0.14];
    const [from, to] = inwards ? [outer, inner] : [inner, outer];
    const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
    pen.line(from, to, { width: 3.4, colour: RED });
    for (const side of [-0.5, 0.5])
      pen.line(to, [to[0] - Math.cos(angle + side) * 16, to[1] - Math.sin(angle + side) * 16], {
        width: 3.4,
        colour: RED,
      });
  }
}

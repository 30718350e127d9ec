import { withAlpha } from './colour';
import type { Glow, Stage } from './stage';
import { fogOn, rainOn, snowOn, weatherOf } from './weather';

const COLOUR_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\b(red|crimson|scarlet)\b|빨강|붉은|빨간/i, '#c05a50'],
  [/\b(orange|copper|amber|rust|gold\w*|yellow)\b|주황|노란|노랑|금빛|구리/i, '#d9994f'],
  [/\b(green|olive|moss)\b|초록|녹색/i, '#6f9a66'],
  [/\b(teal|cyan|turquoise)\b|청록/i, '#4f9a9a'],
  [/\b(blue|indigo|navy)\b|파란|파랑|푸른|남색/i, '#5f80b8'],
  [/\b(purple|violet|magenta)\b|보라|자주/i, '#8c6aa8'],
  [/\b(pink|rose)\b|분홍/i, '#d88f9f'],
  [/\b(sepia|brown|beige)\b|갈색|베이지/i, '#a98560'],
  [/\b(grey|gray|silver|muted|pale)\b|회색|은빛|흐린/i, '#a3a3a6'],
];

/** The light of the hour over the finished colours: then lamps, weather, and the tint that `palette` asks for. */
export function grade(stage: Stage, indoors: boolean, palette: string): void {
  const { pen, light, w, h } = stage;
  const { ctx } = pen;
  ctx.globalCompositeOperation = 'multiply';
  ctx.fillStyle = pen.colour(indoors ? light.roomGrade : light.grade);
  ctx.fillRect(0, 0, w, h);
  ctx.globalCompositeOperation = 'soft-light';
  const tints = COLOUR_WORDS.filter(([pattern]) => pattern.test(palette)).map(([, colour]) => colour);
  for (const tint of tints.slice(0, 2)) {
    ctx.fillStyle = withAlpha(tint, 0.2);
    ctx.fillRect(0, 0, w, h);
  }
  ctx.globalCompositeOperation = 'source-over';
}

/** Light that shines: after the grading. Glows were noted in the place's own units, so they are drawn under its transform. */
export function shine(stage: Stage, glows: readonly Glow[]): void {
  const { ctx } = stage.pen;
  ctx.globalCompositeOperation = 'screen';
  for (const glow of glows) {
    const gradient = ctx.createRadialGradient(glow.x, glow.y, 0, glow.x, glow.y, glow.radius);
    const colour = stage.pen.colour(glow.colour);
    gradient.addColorStop(0, withAlpha(colour, glow.strength * 0.75));
    gradient.addColorStop(0.4, withAlpha(colour, glow.strength * 0.26));
    gradient.addColorStop(1, withAlpha(colour, 0));
    ctx.fillStyle = gradient;
    ctx.fillRect(glow.x - glow.radius, glow.y - glow.radius, glow.radius * 2, glow.radius * 2);
  }
  ctx.globalCompositeOperation = 'source-over';
}

/** Rain, snow or fog in front of everything, out of doors only. */
export function weather(stage: Stage, indoors: boolean): void {
  const { pen, w, h, text } = stage;
  if (indoors) return;
  switch (weatherOf(text)) {
    case 'rain':
      return rainOn(pen, 0, 0, w, h, 240);
    case 'snow':
      return snowOn(pen, w, h);
    case 'fog':
      return fogOn(pen, w, h, stage.light.moon ? '#8f9bb5' : '#eceae2');
    case 'clear':
      return;
  }
}

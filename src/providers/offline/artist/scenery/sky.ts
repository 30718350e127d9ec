import type { Point } from '../pen';
import type { Stage } from '../stage';

/** The sky down to `toY`, with what the time of day hangs in it. */
export function sky(stage: Stage, toY: number): void {
  const { pen, light, w } = stage;
  const { ctx } = pen;
  const gradient = ctx.createLinearGradient(0, 0, 0, toY);
  gradient.addColorStop(0, pen.colour(light.sky[0]));
  gradient.addColorStop(0.62, pen.colour(light.sky[1]));
  gradient.addColorStop(1, pen.colour(light.sky[2]));
  ctx.fillStyle = gradient;
  ctx.fillRect(-w, -stage.h, w * 3, toY + stage.h);
  if (light.moon) night(stage, toY);
  else if (light.sun !== 'none') sun(stage, toY);
  clouds(stage, toY);
}

function night(stage: Stage, toY: number): void {
  const { pen, random, w } = stage;
  const { ctx } = pen;
  for (let star = 0; star < 70; star += 1) {
    ctx.fillStyle = pen.colour('#f4f1e0', random.between(0.25, 0.9));
    const size = random.between(0.5, 1.5);
    ctx.fillRect(random.between(0, w), random.between(0, toY * 0.85), size, size);
  }
  const x = w * random.between(0.68, 0.86);
  const y = toY * random.between(0.2, 0.32);
  pen.ellipse(x, y, 24, 24, '#f3edd2');
  pen.ellipse(x + 6, y - 4, 5, 5, '#ddd5b6');
  pen.ellipse(x - 8, y + 7, 4, 4, '#ddd5b6');
  stage.glows.push({ x, y, radius: 120, colour: '#dfe6ff', strength: 0.4 });
}

function sun(stage: Stage, toY: number): void {
  const { pen, random, light, w } = stage;
  const low = light.sun === 'low';
  const x = w * random.between(0.14, 0.3);
  const y = low ? toY * 0.8 : toY * 0.22;
  pen.ellipse(x, y, low ? 27 : 22, low ? 27 : 22, low ? '#ffe2a3' : '#fff4cf');
  stage.glows.push({ x, y, radius: low ? 260 : 150, colour: low ? '#ffd08a' : '#fff3cf', strength: low ? 0.5 : 0.28 });
}

function clouds(stage: Stage, toY: number): void {
  const { random, w, light } = stage;
  const colour = light.moon
    ? '#3d4d78'
    : light.sun === 'low'
      ? '#fbe3d2'
      : light.time === 'dusk'
        ? '#b98a9e'
        : '#fbfbf6';
  const count = 3 + random.below(3);
  for (let cloud = 0; cloud < count; cloud += 1)
    drawCloud(stage, random.between(-40, w), toY * random.between(0.12, 0.62), random.between(60, 150), colour);
}

function drawCloud(stage: Stage, x: number, y: number, width: number, colour: string): void {
  const { pen, random } = stage;
  const bumps = 5;
  const points: Point[] = [[x - 10, y + 3]];
  for (let bump = 0; bump <= bumps; bump += 1) {
    const share = bump / bumps;
    points.push([x + share * width, y - Math.sin(share * Math.PI) * width * random.between(0.14, 0.26) - 4]);
  }
  points.push([x + width + 12, y + 4], [x + width * 0.5, y + width * 0.06]);
  pen.ctx.globalAlpha = 0.72;
  pen.blob(points, colour);
  pen.ctx.globalAlpha = 1;
  pen.curve(points.slice(1, -3), { width: 1, alpha: 0.28 });
}

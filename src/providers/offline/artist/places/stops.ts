import { buildings, streetLamp } from '../scenery/town';
import { ground } from '../scenery/land';
import { sky } from '../scenery/sky';
import type { Stage } from '../stage';

/** A tram, bus or railway stop: shelter, sign, rails, and often the tram itself. */
export function station(stage: Stage): void {
  const { pen, w, h, horizon } = stage;
  sky(stage, horizon);
  buildings(stage, horizon + 12, 70, 150, 0.55);
  ground(stage, horizon + 10, '#a19a8f');
  pen.rect(-10, horizon + 62, w + 20, 38, '#77736d', { width: 1.2, alpha: 0.5 });
  for (const rail of [70, 90])
    pen.line([-10, horizon + rail], [w + 10, horizon + rail], { width: 3, colour: '#c4c1b8' });
  tram(stage, w * 0.64, horizon + 88);
  pen.line([-10, horizon - 96], [w + 10, horizon - 84], { width: 1.2, alpha: 0.7 });
  shelter(stage, w * 0.08, h * 0.88);
  sign(stage, w * 0.44, h * 0.9);
  streetLamp(stage, w * 0.52, horizon + 124, 210);
}

function tram(stage: Stage, x: number, baseY: number): void {
  const { pen, light } = stage;
  pen.rect(x, baseY - 122, 330, 108, '#b9564a', { width: 2 });
  pen.rect(x, baseY - 122, 330, 56, '#efe3c4', { width: 1.6 });
  for (let pane = 0; pane < 6; pane += 1) {
    pen.rect(x + 12 + pane * 53, baseY - 112, 42, 42, light.lampsLit ? '#ffe2a0' : '#9db4bd', { width: 1.4 });
    if (light.lampsLit)
      stage.glows.push({ x: x + 33 + pane * 53, y: baseY - 90, radius: 60, colour: '#ffd98f', strength: 0.4 });
  }
  for (const wheel of [60, 110, 230, 280]) pen.ellipse(x + wheel, baseY - 10, 14, 14, '#3e3f43', { width: 1.5 });
  pen.line([x + 150, baseY - 122], [x + 130, baseY - 168], { width: 2 });
  pen.line([x + 130, baseY - 168], [x + 190, baseY - 172], { width: 2 });
  pen.ellipse(x + 6, baseY - 34, 8, 8, '#fff0be', { width: 1.3 });
  if (light.lampsLit) stage.glows.push({ x: x - 4, y: baseY - 34, radius: 150, colour: '#fff0c0', strength: 0.55 });
}

function shelter(stage: Stage, x: number, baseY: number): void {
  const { pen, light, w } = stage;
  const width = w * 0.27;
  pen.rect(x + 8, baseY - 190, width - 16, 180, light.sky[1], { width: 1 });
  pen.ctx.globalAlpha = 0.5;
  pen.rect(x + 8, baseY - 190, width - 16, 180, '#cfdad6');
  pen.ctx.globalAlpha = 1;
  for (const share of [0, 0.5, 1])
    pen.line([x + width * share, baseY], [x + width * share, baseY - 200], { width: 5, colour: '#56605f' });
  pen.shape(
    [
      [x - 20, baseY - 196],
      [x + width + 26, baseY - 196],
      [x + width + 12, baseY - 218],
      [x - 8, baseY - 218],
    ],
    '#5d6f6d',
    { width: 1.8 },
  );
  pen.rect(x + 20, baseY - 62, width - 40, 11, '#8d6d4e', { width: 1.5 });
  for (const leg of [0.2, 0.8]) pen.line([x + width * leg, baseY - 52], [x + width * leg, baseY], { width: 4 });
  pen.rect(x + width * 0.6, baseY - 168, 56, 74, '#efe6cd', { width: 1.4 });
  for (let line = 0; line < 5; line += 1)
    pen.line([x + width * 0.6 + 7, baseY - 156 + line * 13], [x + width * 0.6 + 46, baseY - 156 + line * 13], {
      width: 1,
      alpha: 0.5,
    });
}

function sign(stage: Stage, x: number, baseY: number): void {
  const { pen } = stage;
  pen.line([x, baseY], [x, baseY - 190], { width: 4 });
  pen.ellipse(x, baseY - 204, 26, 26, '#e8c355', { width: 2 });
  pen.line([x - 12, baseY - 209], [x + 12, baseY - 209], { width: 4 });
  pen.line([x, baseY - 209], [x, baseY - 191], { width: 4 });
}

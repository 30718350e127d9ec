import { darker, lighter } from '../colour';
import type { Stage } from '../stage';

/** A lamp that hangs from the ceiling. */
export function pendant(stage: Stage, x: number, y: number, colour = '#6d6a60'): void {
  const { pen, light } = stage;
  pen.line([x, -10], [x, y], { width: 1.4 });
  pen.shape(
    [
      [x - 24, y + 18],
      [x + 24, y + 18],
      [x + 9, y],
      [x - 9, y],
    ],
    colour,
    { width: 1.5 },
  );
  pen.ellipse(x, y + 19, 8, 5, light.lampsLit ? '#fff0c0' : '#e4e1d4', { width: 1 });
  if (light.lampsLit) stage.glows.push({ x, y: y + 22, radius: 230, colour: '#ffd48f', strength: 0.5 });
}

export function wallClock(stage: Stage, x: number, y: number, radius: number): void {
  const { pen, random } = stage;
  pen.ellipse(x, y, radius, radius, '#efe7d2', { width: 2 });
  for (let hour = 0; hour < 12; hour += 1) {
    const angle = (hour / 12) * Math.PI * 2;
    pen.line(
      [x + Math.cos(angle) * radius * 0.8, y + Math.sin(angle) * radius * 0.8],
      [x + Math.cos(angle) * radius * 0.9, y + Math.sin(angle) * radius * 0.9],
      { width: 1 },
    );
  }
  const angle = random.between(0, Math.PI * 2);
  pen.line([x, y], [x + Math.cos(angle) * radius * 0.72, y + Math.sin(angle) * radius * 0.72], { width: 1.5 });
  pen.line([x, y], [x + Math.cos(angle * 3) * radius * 0.5, y + Math.sin(angle * 3) * radius * 0.5], { width: 2 });
}

export function picture(stage: Stage, x: number, y: number, width: number, height: number): void {
  const { pen, random } = stage;
  pen.rect(x, y, width, height, '#8b6f4f', { width: 1.5 });
  pen.rect(x + 5, y + 5, width - 10, height - 10, random.pick(['#b9c2b0', '#c8b79b', '#9fb0bd']), { width: 0.8 });
  pen.curve(
    [
      [x + 7, y + height * 0.66],
      [x + width * 0.35, y + height * 0.4],
      [x + width * 0.6, y + height * 0.62],
      [x + width - 7, y + height * 0.45],
    ],
    { width: 1, alpha: 0.5 },
  );
}

export function plant(stage: Stage, x: number, floorY: number, size: number): void {
  const { pen, random } = stage;
  for (let leaf = 0; leaf < 9; leaf += 1) {
    const lean = random.between(-0.7, 0.7);
    pen.blob(
      [
        [x, floorY - size * 0.4],
        [x + lean * size * 0.4 - 5, floorY - size * 0.8],
        [x + lean * size * 0.7, floorY - size * random.between(0.9, 1.3)],
        [x + lean * size * 0.5 + 6, floorY - size * 0.75],
      ],
      random.pick(['#5f7f57', '#7a9a63', '#4f6b50']),
      { width: 1, alpha: 0.7 },
    );
  }
  pen.shape(
    [
      [x - size * 0.24, floorY - size * 0.45],
      [x + size * 0.24, floorY - size * 0.45],
      [x + size * 0.17, floorY],
      [x - size * 0.17, floorY],
    ],
    '#b0705a',
    { width: 1.5 },
  );
}

/** A cooker with a hood and a pot. */
export function stove(stage: Stage, x: number, floorY: number, width: number, height: number): void {
  const { pen } = stage;
  pen.rect(x, floorY - height, width, height, '#d6d3c8', { width: 1.7 });
  pen.rect(x + width * 0.14, floorY - height * 0.62, width * 0.72, height * 0.46, '#4e5052', { width: 1.4 });
  for (let knob = 0; knob < 4; knob += 1)
    pen.ellipse(x + width * (0.2 + knob * 0.2), floorY - height * 0.82, 4, 4, '#5a5a5a');
  pen.rect(x + width * 0.18, floorY - height - 26, width * 0.4, 24, '#7f8a8c', { width: 1.5 });
  pen.line([x + width * 0.58, floorY - height - 20], [x + width * 0.82, floorY - height - 24], { width: 3 });
  pen.shape(
    [
      [x - 4, floorY - height * 2.1],
      [x + width + 4, floorY - height * 2.1],
      [x + width * 0.74, floorY - height * 2.55],
      [x + width * 0.26, floorY - height * 2.55],
    ],
    lighter('#8c8a80', 0.2),
    { width: 1.5 },
  );
}

/** A framed notice or a blackboard with lines of writing. */
export function board(stage: Stage, x: number, y: number, width: number, height: number, colour: string): void {
  const { pen, random } = stage;
  pen.rect(x - 6, y - 6, width + 12, height + 12, '#8a6d50', { width: 1.6 });
  pen.rect(x, y, width, height, colour, { width: 1.2 });
  for (let line = 0; line < Math.floor(height / 22); line += 1) {
    const ly = y + 14 + line * 20;
    pen.curve(
      [
        [x + 12, ly],
        [x + width * 0.3, ly - 3],
        [x + width * random.between(0.4, 0.85), ly],
      ],
      { width: 1.4, colour: lighter(colour, 0.6), alpha: 0.7 },
    );
  }
}

export function rug(stage: Stage, x: number, y: number, width: number, colour: string): void {
  const { pen } = stage;
  pen.shape(
    [
      [x + width * 0.1, y],
      [x + width * 0.9, y],
      [x + width, y + width * 0.16],
      [x, y + width * 0.16],
    ],
    colour,
    { width: 1.3, alpha: 0.6 },
  );
  pen.shape(
    [
      [x + width * 0.15, y + width * 0.025],
      [x + width * 0.85, y + width * 0.025],
      [x + width * 0.92, y + width * 0.135],
      [x + width * 0.08, y + width * 0.135],
    ],
    darker(colour, 0.12),
    { width: 0.9, alpha: 0.5 },
  );
}

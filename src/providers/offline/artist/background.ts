import type { Sheet } from './canvas';
import type { Card } from './card';
import { framingOf } from './framing';
import { grade, shine, weather } from './grading';
import { drawable } from '../../../images/lettering';
import { drawSlate } from './labels';
import { agePaper, halftone } from './paper';
import { paintScene } from './scene';

/** A place at a time of day, without people. */
export function drawBackground(sheet: Sheet, card: Card): void {
  const { pen, w, h } = sheet;
  const place = paintScene(pen, card, framingOf('extreme wide'), w, h);
  grade(place.stage, place.indoors, card.palette);
  shine(place.stage, place.glows);
  weather(place.stage, place.indoors);
  if (pen.style.halftone) halftone(pen, w, h);
  agePaper(pen, w, h);
  drawSlate(pen, card.place || card.sceneHeading || card.subject, 'BG', drawable(card.timeOfDay), w);
  pen.rect(3, 3, w - 6, h - 6, undefined, { width: 3 });
}

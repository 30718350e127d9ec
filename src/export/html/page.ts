import { createHash } from 'node:crypto';
import { fontSubsetsFor } from '../../images/font-subsets';
import type { ContactSheetInput, SheetPlace } from '../input';
import { countShots, numberedShots } from '../pictures';
import { dollars, wordsFor, type Words } from '../words';
import { html, Markup } from './escape';
import { picture, shotFigure } from './shot-figure';
import { STYLESHEET } from './stylesheet';

/** One self-contained HTML file without any script; its policy allows nothing but its own style and embedded images (case C48). */
export async function renderPage(input: ContactSheetInput): Promise<string> {
  const words = wordsFor(input);
  const body = await renderBody(input, words);
  const style = (await fontFaces(body.text)) + STYLESHEET;
  const policy = `default-src 'none'; img-src data:; font-src data:; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`;
  const language = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(input.language) ? input.language : 'und';
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${input.title} · ${input.episodeId}</title>
        <style>
          ${new Markup(style)}
        </style>
      </head>
      ${body}
    </html> `.text;
}

/** The fonts for the letters that the text has and a system may lack, inside the style. */
async function fontFaces(body: string): Promise<string> {
  const subsets = await fontSubsetsFor(body.replace(/data:image[^"]*/g, ''));
  return subsets
    .map(
      ({ unicodeRange, woff2 }) =>
        `@font-face{font-family:"Callsheet";font-display:block;src:url(data:font/woff2;base64,${woff2.toString('base64')}) format("woff2");unicode-range:${unicodeRange}}\n`,
    )
    .join('');
}

async function renderBody(input: ContactSheetInput, words: Words): Promise<Markup> {
  const { shots, drawn, off } = countShots(input);
  return html`<body>
    <header>
      <h1 dir="auto">${input.title}</h1>
      <ul class="facts">
        <li>${input.projectId} / <b>${input.episodeId}</b></li>
        <li>${words.shots(shots, drawn, off)}</li>
        <li>${words.cost} <b>${dollars(input.costUsd)}</b></li>
      </ul>
      <p class="hint">${words.copyHint}</p>
      ${
        input.scenes.length > 1 &&
        html`<nav aria-label="${words.scenes}">
          <ol>
            ${input.scenes.map(({ heading }, index) => html`<li><a href="#scene-${index + 1}" dir="auto">${heading}</a></li>`)}
          </ol>
        </nav>`
      }
    </header>
    <main>${await sceneSections(input, words)} ${await placeSections(input.places, words)} ${cast(input, words)}</main>
  </body>`;
}

async function sceneSections(input: ContactSheetInput, words: Words): Promise<Markup[]> {
  const numbered = numberedShots(input);
  const sections: Markup[] = [];
  let at = 0;
  for (const [index, scene] of input.scenes.entries()) {
    const figures: Markup[] = [];
    // One picture after the other: an episode of many shots must not be in memory at full size at once.
    for (const shot of numbered.slice(at, at + scene.shots.length)) figures.push(await shotFigure(shot, words));
    at += scene.shots.length;
    const where = [scene.place, scene.timeOfDay].filter((part) => part !== '').join(' · ');
    sections.push(
      html`<section id="scene-${index + 1}">
        <h2 dir="auto">${index + 1}. ${scene.heading}${where !== '' && html` <small>${where}</small>`}</h2>
        <ul class="grid">
          ${figures}
        </ul>
      </section> `,
    );
  }
  return sections;
}

async function placeSections(places: readonly SheetPlace[], words: Words): Promise<Markup | undefined> {
  if (places.length === 0) return undefined;
  const figures: Markup[] = [];
  for (const place of places) {
    if (place.floorPlan) figures.push(await placeFigure(place.floorPlan, `${place.name} · ${words.floorPlan}`, words));
    for (const { timeOfDay, image } of place.backgrounds)
      figures.push(await placeFigure(image, [place.name, timeOfDay].filter((part) => part !== '').join(' · '), words));
  }
  return html`<section>
    <h2>${words.places}</h2>
    <ul class="grid">
      ${figures}
    </ul>
  </section>`;
}

async function placeFigure(image: Uint8Array, name: string, words: Words): Promise<Markup> {
  return html`<li>
    <figure>
      ${await picture(image, name, undefined, words)}
      <figcaption><p dir="auto">${name}</p></figcaption>
    </figure>
  </li> `;
}

function cast({ characters }: ContactSheetInput, words: Words): Markup | undefined {
  if (characters.length === 0) return undefined;
  return html`<section>
    <h2>${words.cast}</h2>
    <dl>
      ${characters.map(
        ({ name, description }) =>
          html`<dt dir="auto">${name}</dt>
            <dd dir="auto">${description}</dd>`,
      )}
    </dl>
  </section>`;
}

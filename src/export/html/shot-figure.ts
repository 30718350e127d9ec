import { thumbnail, type NumberedShot } from '../pictures';
import type { Words } from '../words';
import { html, type Markup } from './escape';

/** Wide enough for a sharp picture on a phone and in print, small enough that a whole episode can be mailed. */
export const THUMBNAIL_WIDTH_PX = 640;

/** One shot: picture, number, size and camera, words, what the editor changed, and the command to draw it again. */
export async function shotFigure({ number, shot }: NumberedShot, words: Words): Promise<Markup> {
  const alt = [words.shot, number, shot.size, shot.action].filter((part) => part !== '').join(' ');
  return html`<li${shot.on ? undefined : html` class="off"`}><figure>${(shot.on || shot.image !== null) && (await picture(shot.image, alt, shot.missingReason, words))}<figcaption>
<p class="head"><b>${number}</b><span dir="auto">${[shot.size, shot.camera].filter((part) => part !== '').join(' · ')}</span>${!shot.on && html`<span class="flag">${words.off}</span>`}</p>
${shot.caption !== '' && html`<p class="line" dir="auto">${shot.speaker !== '' && html`<b>${shot.speaker}</b>`}${shot.caption}</p>`}
${shot.action !== '' && html`<p class="action" dir="auto">${shot.action}</p>`}
${edit(shot.editedBy, shot.editReason, words)}
<p><code>callsheet redo ${shot.shotId}</code></p>
${
  shot.prompt !== '' &&
  html`<details>
    <summary>${words.prompt}</summary>
    <p dir="auto">${shot.prompt}</p>
  </details>`
}
</figcaption></figure></li>
`;
}

function edit(editedBy: string | undefined, reason: string | undefined, words: Words): Markup | undefined {
  if (!editedBy && !reason) return undefined;
  const head = editedBy ? `${words.edited} · ${editedBy}` : words.edited;
  return html`<p class="edit" dir="auto"><b>${head}</b>${reason ? `: ${reason}` : undefined}</p>`;
}

/** An image as a data URI, or a box that says why there is none. */
export async function picture(
  bytes: Uint8Array | null,
  alt: string,
  missingReason: string | undefined,
  words: Words,
): Promise<Markup> {
  const small = bytes === null ? undefined : await thumbnail(bytes, THUMBNAIL_WIDTH_PX);
  if (small)
    return html`<img
      alt="${alt}"
      width="${small.width}"
      height="${small.height}"
      loading="lazy"
      decoding="async"
      src="data:image/webp;base64,${small.webp.toString('base64')}"
    />`;
  const why = bytes === null ? missingReason : words.unreadable;
  return html`<div class="none">
    <b>${words.noImage}</b>${why !== undefined && why !== '' && html`<span dir="auto">${why}</span>`}
  </div>`;
}

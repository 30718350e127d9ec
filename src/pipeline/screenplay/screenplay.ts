/** A parsed screenplay: the input of the pipeline (spec 00). Plain data. */
export interface Screenplay {
  readonly title: string;
  /** BCP 47, guessed from the script of the text: `ko`, `en`, … */
  readonly language: string;
  readonly scenes: readonly Scene[];
}

export interface Scene {
  /** Position in the screenplay, from 0. Stands in no request (spec 00, "Words"). */
  readonly index: number;
  /** Made from the content, so a scene inserted at the front does not make the others new. */
  readonly id: string;
  /** The scene's own number or label where the screenplay gives one; may repeat. */
  readonly number?: string;
  /** The heading as written; for text without headings, the first words. */
  readonly heading: string;
  readonly interior: 'INT' | 'EXT' | 'INT/EXT' | 'UNKNOWN';
  /** The place's name from the heading, or '' where none can be told. */
  readonly place: string;
  /** Normalised: dawn, morning, day, evening, dusk, night, or '' where the scene does not say. */
  readonly timeOfDay: string;
  readonly elements: readonly SceneElement[];
}

export type SceneElement =
  | { readonly kind: 'action'; readonly text: string }
  | { readonly kind: 'dialogue'; readonly speaker: string; readonly text: string; readonly parenthetical?: string }
  | { readonly kind: 'transition'; readonly text: string };

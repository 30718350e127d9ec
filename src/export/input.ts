/** All that stands on a contact sheet (spec 50 `export`): plain data, no clock, so that the same input gives the same bytes. */
export interface ContactSheetInput {
  readonly title: string;
  readonly projectId: string;
  readonly episodeId: string;
  /** BCP 47; labels are Korean for `ko`, else English. */
  readonly language: string;
  /** What the episode has cost so far, in US dollars. */
  readonly costUsd: number;
  readonly scenes: readonly SheetScene[];
  readonly places: readonly SheetPlace[];
  readonly characters: readonly { readonly name: string; readonly description: string }[];
}

export interface SheetScene {
  readonly heading: string;
  readonly place: string;
  readonly timeOfDay: string;
  readonly shots: readonly SheetShot[];
}

export interface SheetShot {
  /** What `callsheet redo` takes. */
  readonly shotId: string;
  readonly size: string;
  readonly camera: string;
  readonly caption: string;
  readonly speaker: string;
  readonly action: string;
  readonly prompt: string;
  /** The editor step that changed the prompt, and why. */
  readonly editedBy?: string;
  readonly editReason?: string;
  readonly on: boolean;
  readonly image: Uint8Array | null;
  /** Why there is no image. */
  readonly missingReason?: string;
}

export interface SheetPlace {
  readonly name: string;
  readonly floorPlan: Uint8Array | null;
  readonly backgrounds: readonly { readonly timeOfDay: string; readonly image: Uint8Array }[];
}

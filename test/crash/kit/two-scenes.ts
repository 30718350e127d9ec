/** Two scenes that give every step something to do, the editor too, and little of it. */
export const TWO_SCENES = `Title: The Ferry Lamp

INT. BOATHOUSE - MORNING

MARA (34) lifts a brass lamp from the bench. Oil drips on the floor.

MARA
It burned all night.

EXT. QUAY - NIGHT

Rain. Mara and TOMAS (60) carry the lamp to the ferry.

TOMAS
Then who lit it?
`;

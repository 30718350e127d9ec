import type { Json } from '../../../domain/json';
import { inputAs } from './story';

interface ContinuityShot {
  readonly shot: string;
  readonly place: string;
  readonly time_of_day: string;
  readonly characters: readonly string[];
}

/** How far back a shot in another place is looked for, in shots: nobody remembers a coat for longer. */
const REACH = 12;

/** For each shot the nearest earlier one that it must look like: same place and light, else the same person. Pure. */
export function findContinuity(input: Json): Json {
  const { shots } = inputAs<{ shots: readonly ContinuityShot[] }>(input);
  return {
    dependencies: shots.map((shot, position) => {
      const earlier = shots.slice(0, position).reverse();
      const samePlace = earlier.find(
        (one) => one.place !== '' && one.place === shot.place && one.time_of_day === shot.time_of_day,
      );
      if (samePlace)
        return { shot: shot.shot, looks_like: samePlace.shot, reason: `Same place in the same light: ${shot.place}.` };
      const samePerson = earlier
        .slice(0, REACH)
        .find((one) => one.characters.some((name) => shot.characters.includes(name)));
      if (!samePerson) return { shot: shot.shot, looks_like: null, reason: '' };
      const name = shot.characters.find((one) => samePerson.characters.includes(one))!;
      return { shot: shot.shot, looks_like: samePerson.shot, reason: `${name} wears the same clothes.` };
    }),
  };
}

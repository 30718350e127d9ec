import type { Beat } from './beats';
import { pick } from './pick';
import type { StoryScene } from './story';

export type Size =
  | 'extreme wide'
  | 'wide'
  | 'full'
  | 'medium'
  | 'medium close-up'
  | 'close-up'
  | 'extreme close-up'
  | 'insert'
  | 'over the shoulder'
  | 'two shot';

const CAMERAS: Readonly<Record<Size, readonly [string, ...string[]]>> = {
  'extreme wide': ['high angle, locked off', 'eye level, slow pan', 'crane down'],
  wide: ['eye level, locked off', 'slight high angle, locked off', 'low angle, slow push in'],
  full: ['eye level, tracking alongside', 'low angle, locked off', 'eye level, slow push in'],
  medium: ['eye level, locked off', 'eye level, slow push in', 'slight low angle'],
  'medium close-up': ['eye level, locked off', 'slight high angle', 'eye level, slow push in'],
  'close-up': ['eye level, shallow focus', 'slight low angle, shallow focus', 'slow push in, shallow focus'],
  'extreme close-up': ['macro, locked off', 'eye level, very shallow focus'],
  insert: ['top down, locked off', 'high angle, shallow focus', 'table height, slow push in'],
  'over the shoulder': ['eye level over the listener’s shoulder', 'slight high angle over the shoulder'],
  'two shot': ['eye level, locked off', 'profile, locked off', 'eye level, slow drift'],
};

const MOVES =
  /\b(walk|run|step|slide|enter|leave|cross|climb|jump|wait|stand|follow)\w*|달린다|걷|뛰|문을 연|나온다|들어|서 있/iu;
const EYES = /\b(eyes?|stares?|pupil|tear)\b|눈빛|눈동자|눈물/iu;
const INNER = /속마음|thought|thinking|to herself|to himself|whisper|작게|속삭/iu;
const CLOSE = /클로즈업|close ?-?up|close on|insert|inside:/iu;

/** The size of the shot that opens a scene: its place first. */
export function openingSize(scene: StoryScene, beat: Beat | undefined): Size {
  if (scene.interior === 'INT') return 'wide';
  return beat && beat.characters.length > 0 ? 'wide' : 'extreme wide';
}

/** The size that a moment asks for; another one that also serves it where the shot before has the same. */
export function sizeOf(beat: Beat, before: Size | undefined): Size {
  const [first, second] = choices(beat);
  return first === before ? second : first;
}

function choices(beat: Beat): readonly [Size, Size] {
  const people = beat.characters.length;
  const text = `${beat.action} ${beat.how}`;
  if (beat.kind === 'action' && CLOSE.test(text) && beat.props.length > 0) return ['insert', 'extreme close-up'];
  if (EYES.test(text) && people === 1) return ['extreme close-up', 'close-up'];
  if (beat.kind === 'speech') {
    if (INNER.test(beat.how) && people > 0) return ['close-up', 'medium close-up'];
    if (people >= 2)
      return pick<readonly [Size, Size]>(
        [
          ['over the shoulder', 'medium close-up'],
          ['two shot', 'over the shoulder'],
          ['medium close-up', 'two shot'],
        ],
        beat.caption,
      );
    if (people === 1) return ['medium close-up', 'close-up'];
    return ['wide', 'medium'];
  }
  if (people >= 2) return ['two shot', 'full'];
  if (people === 1 && beat.props.length > 0 && !MOVES.test(text)) return ['medium', 'close-up'];
  if (people === 1) return MOVES.test(text) ? ['full', 'medium'] : ['medium', 'close-up'];
  return beat.props.length > 0 ? ['insert', 'wide'] : ['wide', 'extreme wide'];
}

export function cameraOf(size: Size, ...content: readonly string[]): string {
  return pick(CAMERAS[size], ...content);
}

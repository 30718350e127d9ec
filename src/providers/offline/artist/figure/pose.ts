import type { Random } from '../random';

/** Elbow and hand of an arm, from its shoulder, in heads; x grows towards where the figure looks. */
export interface Arm {
  readonly elbow: readonly [number, number];
  readonly hand: readonly [number, number];
}

export interface Pose {
  readonly far: Arm;
  readonly near: Arm;
  readonly legs: 'stand' | 'walk' | 'run' | 'sit';
  /** The near arm's hand carries what the shot is about. */
  readonly holds: boolean;
}

const DOWN: Arm = { elbow: [-0.14, 0.92], hand: [-0.02, 1.78] };
const DOWN_FAR: Arm = { elbow: [0.2, 0.92], hand: [0.16, 1.76] };
const HOLD: Arm = { elbow: [-0.2, 0.88], hand: [0.72, 1.02] };
const POINT: Arm = { elbow: [0.72, 0.32], hand: [1.5, 0.08] };
const RAISE: Arm = { elbow: [0.46, -0.1], hand: [0.36, -0.98] };
const CHIN: Arm = { elbow: [0.1, 0.95], hand: [0.36, -0.02] };
const HIP: Arm = { elbow: [-0.52, 0.78], hand: [-0.02, 1.42] };
const OPEN: Arm = { elbow: [0.4, 0.74], hand: [1.05, 0.62] };
const SWING_BACK: Arm = { elbow: [-0.42, 0.82], hand: [-0.3, 1.6] };
const SWING_FRONT: Arm = { elbow: [0.36, 0.82], hand: [0.9, 1.3] };
const PUMP: Arm = { elbow: [-0.55, 0.7], hand: [0.15, 0.92] };

const POSES: readonly (readonly [RegExp, Pose])[] = [
  [
    /\b(run(s|ning)?|sprint\w*|chas\w+|flees?|rush\w*|dash\w*)\b|달린|달려|뛰/i,
    { far: SWING_FRONT, near: PUMP, legs: 'run', holds: false },
  ],
  [
    /\b(walk\w*|steps?|stroll\w*|leaves?|enters?|cross\w*|approach\w*|follow\w*)\b|걷|걸어|들어온|나간|다가/i,
    { far: SWING_FRONT, near: SWING_BACK, legs: 'walk', holds: false },
  ],
  [/\b(sit(s|ting)?|seated|desk|table|driv\w+)\b|앉/i, { far: OPEN, near: HOLD, legs: 'sit', holds: false }],
  [
    /\b(hold\w*|carr\w+|sets?|lifts?|takes?|gives?|hands?|reads?|opens?|clutch\w*|picks?|puts?)\b|들고|든다|잡|건네|받|읽|품|꺼내/i,
    { far: { elbow: [0.16, 0.9], hand: [0.5, 1.02] }, near: HOLD, legs: 'stand', holds: true },
  ],
  [/\b(point\w*|shows?|accus\w*)\b|가리/i, { far: POINT, near: DOWN, legs: 'stand', holds: false }],
  [
    /\b(wav\w+|rais\w+|reach\w*|calls? out|shout\w*|cheer\w*|knock\w*)\b|손을 든|손을 흔|두드|튕/i,
    { far: RAISE, near: DOWN, legs: 'stand', holds: false },
  ],
  [
    /\b(think\w*|wonder\w*|consider\w*|looks?|watch\w*|stud(y|ies)|stares?|listens?)\b|생각|바라|쳐다|본다|망설/i,
    { far: DOWN_FAR, near: CHIN, legs: 'stand', holds: false },
  ],
  [/\b(argu\w+|explain\w*|speaks?|says|tells?)\b|말한|외친/i, { far: OPEN, near: HIP, legs: 'stand', holds: false }],
];

/** The pose that the action asks for; else one of the quiet ones. */
export function poseOf(action: string, holdsProp: boolean, random: Random): Pose {
  const quiet: Pose = random.pick([
    { far: DOWN_FAR, near: DOWN, legs: 'stand', holds: false },
    { far: DOWN_FAR, near: HIP, legs: 'stand', holds: false },
    { far: OPEN, near: DOWN, legs: 'stand', holds: false },
  ]);
  const found = POSES.find(([pattern]) => pattern.test(action))?.[1] ?? quiet;
  return holdsProp ? { ...found, near: HOLD, holds: true } : found;
}

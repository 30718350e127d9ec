import type { Door } from '../door';
import { contextRoutes } from './contexts';
import { episodeRoutes } from './episode';
import { eventRoutes, type EventTimes } from './events';
import { lockRoutes } from './locks';
import { moneyRoutes } from './money';
import { planRoutes } from './plan';
import { platformRoutes } from './platform';
import { repairRoutes } from './repair';
import { rescanRoutes } from './rescan';
import type { Route } from './route';
import { settingsRoutes } from './settings';
import { shotRoutes } from './shots';
import { snapshotRoutes } from './snapshots';
import { startRoutes } from './start';

/** Every path of the API (spec 50, the table). */
export function allRoutes(door: Door, times?: EventTimes): readonly Route[] {
  return [
    ...episodeRoutes(door),
    ...eventRoutes(door, times),
    ...startRoutes(door),
    ...planRoutes(door),
    ...repairRoutes(door),
    ...lockRoutes(door),
    ...snapshotRoutes(door),
    ...shotRoutes(door),
    ...moneyRoutes(door),
    ...settingsRoutes(door),
    ...contextRoutes(door),
    ...rescanRoutes(door),
    ...platformRoutes(door),
  ];
}

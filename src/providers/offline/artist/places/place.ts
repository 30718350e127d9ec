import type { PlaceKind } from '../place-kind';
import type { Stage } from '../stage';
import { field, forest } from './green';
import { mountain, rooftop, skyOnly } from './heights';
import { bedroom, corridor, kitchen, livingRoom, stairs } from './homes';
import { booth, cafe, shop } from './public-rooms';
import { station } from './stops';
import { alley, homeFront, square, street } from './town-places';
import { bridge, vehicle } from './vehicles';
import { beach, deck, harbour, lighthouse, openSea, underwater } from './waterside';
import { archive, classroom, clinic, hall, machineRoom, office, postOffice } from './work';

const PAINTERS: Readonly<Record<PlaceKind, (stage: Stage) => void>> = {
  room: livingRoom,
  kitchen,
  bedroom,
  office,
  corridor,
  stairs,
  cafe,
  shop,
  archive,
  post_office: postOffice,
  clinic,
  classroom,
  hall,
  vehicle,
  bridge,
  machine_room: machineRoom,
  booth,
  street,
  alley,
  square,
  station,
  rooftop,
  harbour,
  deck,
  sea: openSea,
  beach,
  underwater,
  forest,
  field,
  mountain,
  house: homeFront,
  lighthouse,
  sky: skyOnly,
};

/** Paints a place of this kind onto the whole stage. */
export function paintPlace(kind: PlaceKind, stage: Stage): void {
  PAINTERS[kind](stage);
}

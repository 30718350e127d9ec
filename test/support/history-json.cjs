'use strict';
/**
 * Histories as readable JSON and back. The SDK's own functions for that compare classes of protobufjs, of which an installation
 * may hold two versions; these use the one that the SDK's messages are made of.
 */
const common = require.resolve('@temporalio/common');
const { temporal } = require(require.resolve('@temporalio/proto', { paths: [common] }));

const { History } = temporal.api.history.v1;

module.exports = {
  toJson: (history) => History.toObject(History.fromObject(history), { longs: String, enums: String, bytes: String }),
  fromJson: (json) => History.fromObject(json),
};

'use strict';
/* Requests that a line of ours sends over HTTP: when one has left, and when its answer has arrived. */
const http = require('node:http');
const https = require('node:https');
const { pass, siteNow } = require('./point.cjs');
const { stateNow } = require('./state.cjs');

function watchHttp() {
  for (const protocol of [http, https]) {
    const original = protocol.request;
    protocol.request = function (...args) {
      const request = original.apply(this, args);
      const site = siteNow();
      if (site === null) return request;
      const state = stateNow();
      request.once('finish', () => pass('provider', site, 'request', 'left', state));
      request.once('response', (response) =>
        response.once('end', () => pass('provider', site, 'request', 'answered', state)),
      );
      return request;
    };
  }
}

module.exports = { watchHttp };

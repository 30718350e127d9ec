'use strict';
/* Every SQL statement that writes, and every COMMIT, where pg sends it. */
const { Client } = require('pg');
const { between, siteNow } = require('./point.cjs');
const { wrotePurchase, wroteRow } = require('./state.cjs');

const WRITES = /^\s*(insert|update|delete|merge|with\b[\s\S]*?\b(?:insert|update|delete)\b|commit)/i;
const TABLE = /\b(?:insert\s+into|update|delete\s+from)\s+((?:"?\w+"?\.)?"?\w+"?)/i;

/** The status that a statement writes, if it writes one: a parameter, or `running` in the claim. */
function statusIn(text, values) {
  const parameter = /"?status"? = \$(\d+)/i.exec(text);
  if (parameter) return values?.[Number(parameter[1]) - 1];
  if (/'running'/.test(text) && /insert into step_run/i.test(text)) return 'running';
  return /then 'failed'/i.test(text) ? 'failed' : undefined;
}

function note(table, text, values) {
  if (table === 'step_run') {
    const status = statusIn(text, values);
    if (status) wroteRow(status);
  } else if (table === 'purchase') {
    wrotePurchase(/^\s*insert/i.test(text) ? 'sent' : (statusIn(text, values) ?? 'changed'));
  }
}

function watchStatements() {
  const query = Client.prototype.query;
  Client.prototype.query = function (config, values, callback) {
    const text = typeof config === 'string' ? config : config?.text;
    const kind = typeof text === 'string' ? WRITES.exec(text)?.[1] : undefined;
    const site = kind === undefined ? null : siteNow();
    if (site === null || typeof values === 'function' || typeof callback === 'function')
      return query.call(this, config, values, callback);
    const table = TABLE.exec(text)?.[1]?.replaceAll('"', '');
    const what = table === undefined ? kind.toUpperCase() : `${kind.split(/\s/)[0].toUpperCase()} ${table}`;
    return between('sql', site, what, () =>
      query.call(this, config, values).then((result) => {
        note(table, text, typeof config === 'string' ? values : config.values);
        return result;
      }),
    );
  };
}

module.exports = { watchStatements };

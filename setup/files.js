'use strict';
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const root = path.resolve(__dirname, '..');

/** Every file under root/folder with one of the endings, as paths relative to root with forward slashes, sorted. */
function filesUnder(folder, endings) {
  const found = [];
  const visit = (relative) => {
    for (const entry of fs.readdirSync(path.join(root, relative), { withFileTypes: true })) {
      const inner = `${relative}/${entry.name}`;
      if (entry.isDirectory()) visit(inner);
      else if (endings.some((ending) => entry.name.endsWith(ending))) found.push(inner);
    }
  };
  if (fs.existsSync(path.join(root, folder))) visit(folder);
  return found.sort();
}

/** Text of a file, or null where there is none. Other failures are thrown. */
function readIfThere(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  }
}

/** Parsed JSON of a file, or null where it is absent or half-written (a stamp that cannot be read is no stamp). */
function readStamp(file) {
  const text = readIfThere(file);
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Writes under a temporary name, then renames: a process that reads the file meanwhile sees the old or the new one, whole. */
function writeWhole(file, content) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.new`;
  fs.writeFileSync(temporary, content);
  fs.renameSync(temporary, file);
}

/** SHA-256 over the names and bytes of files (relative to root). */
function hashFiles(files) {
  const hash = crypto.createHash('sha256');
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(fs.readFileSync(path.join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

module.exports = { root, filesUnder, readIfThere, readStamp, writeWhole, hashFiles };

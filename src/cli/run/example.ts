import fs from 'node:fs';
import path from 'node:path';

/** What `callsheet run` without a file runs: the example that comes with the package, wherever the command is called from. */
export function exampleScreenplay(): string {
  return path.join(packageRoot(__dirname), 'examples', 'lighthouse.fountain');
}

/** The nearest folder above that has a package.json: this file is run from src and from dist. */
function packageRoot(folder: string): string {
  if (fs.existsSync(path.join(folder, 'package.json'))) return folder;
  const above = path.dirname(folder);
  return above === folder ? folder : packageRoot(above);
}

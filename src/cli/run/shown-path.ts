import path from 'node:path';

/** A path as a person can open it: from here where it lies inside the working directory, else from the root. */
export function shownPath(file: string, workingDirectory: string = process.cwd()): string {
  const relative = path.relative(workingDirectory, file);
  const isInside =
    relative !== '' && !relative.startsWith(`..${path.sep}`) && relative !== '..' && !path.isAbsolute(relative);
  return isInside ? relative : file;
}

import { dirname } from 'node:path'
import { Refusal } from '#lib/cli/command'
import { mask } from '#lib/server/observe/log'

const causes: [RegExp, (file: string) => string][] = [
  [
    /^(ENOSPC|EDQUOT|EFBIG|SQLITE_FULL)$/,
    (file) => `The disk of ${dirname(file)} is full, or a limit of its size is reached.`,
  ],
  [/^(EEXIST)$/, (file) => `${file} exists. Choose another name, or add --overwrite.`],
  [/^(ENOENT|ENOTDIR)$/, (file) => `There is no folder ${dirname(file)}. Create it first.`],
  [/^(EACCES|EPERM|EROFS)$/, (file) => `This user may not write to ${dirname(file)}.`],
  [/^EISDIR$|^ENOTEMPTY$/, (file) => `${file} is not a file. Name a file.`],
  [
    /^SQLITE_(CANTOPEN|READONLY)/,
    (file) => `${file} cannot be opened. Check its owner, and that this user may write to its folder.`,
  ],
]

/** Returns the refusal for a fault while a file was written: one sentence, and what to do. */
export function fileFault(fault: unknown, file: string, what: string): unknown {
  if (fault instanceof Refusal) return fault
  const { code = '', message } = fault as { code?: string; message: string }
  const known = causes.find(([codes]) => codes.test(code))
  return new Refusal(`${what} ${known ? known[1](file) : mask(message)}`)
}

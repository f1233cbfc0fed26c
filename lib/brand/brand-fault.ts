/** What is wrong with a file of BRAND_DIR, for the operator: the file, the line where it has one, and what to do. */
export class BrandFault extends Error {
  constructor(file: string, what: string, line?: number) {
    super(`${file}${line === undefined ? '' : `, line ${line}`}: ${what}`)
  }
}

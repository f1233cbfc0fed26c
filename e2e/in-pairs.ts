/** Groups the digits of a code, so that the page's script does not send it with its last digit. */
export const inPairs = (code: string) => code.replaceAll(/\d{2}(?=\d)/g, '$& ')

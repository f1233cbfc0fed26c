/**
 * Returns whether one of the TXT records of a name is the proof. Spaces and quotes around a record come from forms of DNS
 * providers, some of which also change the case.
 */
export const showsProof = (records: readonly string[], proof: string): boolean =>
  records.some((record) => record.length <= proof.length + mostAround && bare(record) === bare(proof))

/** The most spaces and quotes around a record: trimming takes time by the square of the length, up to 64 KB. */
const mostAround = 50

const bare = (record: string): string => record.replace(/^[\s"'“”]+|[\s"'“”]+$/g, '').toLowerCase()

/**
 * Returns whether one of the TXT records of a name is the proof. Spaces and quotes around a record come from forms of DNS
 * providers, some of which also change the case.
 */
export const showsProof = (records: readonly string[], proof: string): boolean =>
  records.some((record) => bare(record) === bare(proof))

const bare = (record: string): string => record.replace(/^[\s"'“”]+|[\s"'“”]+$/g, '').toLowerCase()

export type Checked = { kind: 'local' } | Evidence

/** What was found; domains are lower-case A-labels. */
export type Evidence = Found & { kind: 'checked'; author: string; client: string; dmarc: DmarcResult }

export type Found = { spf: SpfResult; dkim: DkimResult[] }

/** Of MAIL FROM's domain, or of HELO's for the null sender (RFC 7208 §2.4). */
export type SpfResult = { result: string; domain: string }

export type DkimResult = { result: string; domain: string; selector: string; why: string }

export type DmarcResult = {
  result: 'pass' | 'fail' | 'none' | 'temperror' | 'no author'
  /** What the author's domain asks for when nothing is aligned, and where it says so. */
  policy: 'none' | 'quarantine' | 'reject'
  record: string
  /** What passed in the name of the author's own domain. */
  aligned: { spf: boolean; dkim: boolean }
  /** Nothing is aligned now, but something might be once DNS answers. */
  mayYetPass: boolean
}

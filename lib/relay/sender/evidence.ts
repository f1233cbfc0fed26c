export type Checked = { kind: 'local' } | Evidence

/** The results of all checks; domains are lower-case A-labels. */
export type Evidence = Found & { kind: 'checked'; author: string; client: string; dmarc: DmarcResult }

export type Found = { spf: SpfResult; dkim: DkimResult[] }

/** SPF of the MAIL FROM domain, or of HELO for the null sender (RFC 7208 §2.4). */
export type SpfResult = { result: string; domain: string }

export type DkimResult = { result: string; domain: string; selector: string; why: string }

export type DmarcResult = {
  result: 'pass' | 'fail' | 'none' | 'temperror' | 'no author'
  /** The published policy of the author's domain, and the domain that publishes it. */
  policy: 'none' | 'quarantine' | 'reject'
  record: string
  /** Which checks passed in alignment with the author's domain. */
  aligned: { spf: boolean; dkim: boolean }
  /** Nothing is aligned, but DNS failures hide a result that might be. */
  mayYetPass: boolean
}

import { readVisitor } from '#app/_page/visitor.ts'

/** The CSRF token, for browsers that send neither Sec-Fetch-Site nor Origin (security checklist, "Sessions"). */
export async function SessionToken() {
  const { current } = await readVisitor()
  return current && <input type="hidden" name="session" value={current.session.publicId} />
}

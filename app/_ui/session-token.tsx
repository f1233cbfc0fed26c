import { readVisitor } from '#app/_page/visitor.ts'

/** What only a page of ours knows, for browsers that do not say where a form comes from (security checklist, "Sessions"). */
export async function SessionToken() {
  const { current } = await readVisitor()
  return current && <input type="hidden" name="session" value={current.session.publicId} />
}

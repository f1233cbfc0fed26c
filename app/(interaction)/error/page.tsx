import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { oneOf, requestId, type Search } from '#app/_page/interaction-page.ts'
import { inPageLanguage, pageContext } from '#app/_page/page-context.ts'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { ErrorCard } from '#app/_ui/error-card.tsx'
import { openProblem } from '#lib/http/problem-page'
import { problemWords } from './problem-words.ts'

/** The error page: names the cause and the next step. Ignores any text in the URL that the server did not seal. */
export default async function ErrorPage({ searchParams }: { searchParams: Search }) {
  const context = await pageContext()
  const [problem, t, fault] = await Promise.all([
    readProblem(searchParams),
    getTranslations('error'),
    getTranslations('fault'),
  ])
  const words = problemWords(t, problem, context.config.serviceName)
  const back = problem?.back && <ButtonLink href={problem.back}>{words.back}</ButtonLink>
  const home = words.signOut ? (
    <ButtonLink href="/logout">{words.signOut}</ButtonLink>
  ) : (
    <ButtonLink href="/" look="secondary">
      {fault('home')}
    </ButtonLink>
  )
  return (
    <ErrorCard
      title={words.title}
      next={words.next}
      developer={words.developer}
      requestId={await requestId()}
      actions={back ?? home}
    >
      <p>{words.what}</p>
    </ErrorCard>
  )
}

export async function generateMetadata({ searchParams }: { searchParams: Search }): Promise<Metadata> {
  const context = await pageContext()
  const [problem, t] = await Promise.all([readProblem(searchParams), getTranslations('error')])
  return { title: problemWords(t, problem, context.config.serviceName).title }
}

/** Returns the sealed problem, with the name of its app in the language of the page. */
async function readProblem(search: Search) {
  const problem = openProblem(await pageContext(), oneOf((await search).e))
  if (problem?.app === undefined) return problem
  const { name } = await inPageLanguage({ name: problem.app, names: problem.names ?? {} })
  return { ...problem, app: name }
}

import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { oneOf, type Search } from '#app/_page/interaction-page.ts'
import { hasProblems, readFlashHere, readVisitor } from '#app/_page/visitor.ts'
import { OwnScript } from '#app/_ui/own-script.tsx'
import { undoHashOf } from '#lib/account/email/undo'
import { UndoForms } from './undo-forms.tsx'
import { UndoOver } from './undo-over.tsx'
import { UndoneChange } from './undone-change.tsx'
import { WhatHappens } from './what-happens.tsx'

/** Asks for a factor from before the change, for a visitor with the link of the letter. Opening the page changes nothing. */
export default async function UndoEmailPage({ searchParams }: { searchParams: Search }) {
  const { context } = await readVisitor()
  const key = oneOf((await searchParams).key).slice(0, 100)
  const [flash, change] = await Promise.all([
    readFlashHere('undo-email'),
    context.emailUndos.find(undoHashOf(key), context.now()),
  ])
  if (flash?.done === 'undone') return <UndoneChange />
  if (!change) return <UndoOver />
  return (
    <>
      <WhatHappens change={change} />
      <UndoForms
        values={{ key }}
        byCode={flash?.kept.by === 'code'}
        reported={flash?.problems ?? []}
        service={context.config.serviceName}
      />
      <OwnScript src="/passkey.js" />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('undoEmail')
  return { title: t((await hasProblems('undo-email')) ? 'problemTitle' : 'pageTitle') }
}

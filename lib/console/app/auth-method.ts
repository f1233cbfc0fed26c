import type { ConsoleContext } from '#lib/console/context'
import { answerAppForm } from './app-form.ts'
import { changeApp } from './change-app.ts'

/** POST /console/app/auth-method: decides how the app authenticates at the token endpoint (RFC 7591 §2). */
export const answerAuthMethod = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(
    context,
    request,
    { form: 'credentials', section: 'credentials', action: 'app.credentials', fresh: true },
    async (submission) => {
      const { app, form } = submission
      const method = form.get('token_endpoint_auth_method').slice(0, 50)
      // The page offers "any" while no method is registered.
      if (method === 'any' && app.declaration.token_endpoint_auth_method === undefined) return { done: 'changed' }
      const declaration = { ...app.declaration, token_endpoint_auth_method: method }
      return changeApp(context, submission, { declaration, version: app.version })
    },
  )

import * as authorizationServer from '#app/.well-known/oauth-authorization-server/route.ts'
import * as openidConfiguration from '#app/.well-known/openid-configuration/route.ts'
import * as changePassword from '#app/(account)/.well-known/change-password/route.ts'
import * as deletion from '#app/(account)/account/data/delete/submit/route.ts'
import * as download from '#app/(account)/account/data/download/route.ts'
import * as keep from '#app/(account)/account/data/keep/route.ts'
import * as confirmationSend from '#app/(account)/account/email/confirm/send/route.ts'
import * as confirmation from '#app/(account)/account/email/confirm/verify/route.ts'
import * as addressRemoval from '#app/(account)/account/email/remove/submit/route.ts'
import * as addressResend from '#app/(account)/account/email/resend/route.ts'
import * as newAddress from '#app/(account)/account/email/submit/route.ts'
import * as addressCode from '#app/(account)/account/email/verify/route.ts'
import * as aliasChoice from '#app/(account)/account/hide-my-email/choice/route.ts'
import * as aliasSwitch from '#app/(account)/account/hide-my-email/switch/route.ts'
import * as aliasTest from '#app/(account)/account/hide-my-email/test/route.ts'
import * as pictureRemoval from '#app/(account)/account/picture/remove/route.ts'
import * as picture from '#app/(account)/account/picture/submit/route.ts'
import * as profile from '#app/(account)/account/profile/submit/route.ts'
import * as totpOff from '#app/(account)/account/security/authenticator/off/route.ts'
import * as totpOn from '#app/(account)/account/security/authenticator/on/route.ts'
import * as codesDownload from '#app/(account)/account/security/codes/download/route.ts'
import * as codesKept from '#app/(account)/account/security/codes/kept/route.ts'
import * as codesMake from '#app/(account)/account/security/codes/make/route.ts'
import * as passkeyAdd from '#app/(account)/account/security/passkeys/add/route.ts'
import * as passkeyRemove from '#app/(account)/account/security/passkeys/remove/route.ts'
import * as passkeyRename from '#app/(account)/account/security/passkeys/rename/route.ts'
import * as passwordChange from '#app/(account)/account/security/password/submit/route.ts'
import * as sessionEnd from '#app/(account)/account/security/sessions/end/route.ts'
import * as sessionsOthers from '#app/(account)/account/security/sessions/others/route.ts'
import * as appChange from '#app/(account)/account/sharing/change/route.ts'
import * as appWithdrawal from '#app/(account)/account/sharing/withdraw/route.ts'
import * as bindEmailResend from '#app/(interaction)/bind-email/resend/route.ts'
import * as bindEmail from '#app/(interaction)/bind-email/submit/route.ts'
import * as bindEmailCode from '#app/(interaction)/bind-email/verify/route.ts'
import * as choose from '#app/(interaction)/choose/submit/route.ts'
import * as consent from '#app/(interaction)/consent/submit/route.ts'
import * as proceed from '#app/(interaction)/continue/route.ts'
import * as passkeyOptions from '#app/(interaction)/passkey/options/route.ts'
import * as passkeySignIn from '#app/(interaction)/passkey/signin/route.ts'
import * as recoverByCode from '#app/(interaction)/recover/by-code/submit/route.ts'
import * as recoverFinish from '#app/(interaction)/recover/finish/route.ts'
import * as recoverResend from '#app/(interaction)/recover/resend/route.ts'
import * as recoverReview from '#app/(interaction)/recover/review/submit/route.ts'
import * as recover from '#app/(interaction)/recover/submit/route.ts'
import * as recoverCode from '#app/(interaction)/recover/verify/route.ts'
import * as giveBack from '#app/(interaction)/return/route.ts'
import * as signIn from '#app/(interaction)/signin/submit/route.ts'
import * as signOut from '#app/(interaction)/signout/submit/route.ts'
import * as nameCheck from '#app/(interaction)/signup/check/route.ts'
import * as signUp from '#app/(interaction)/signup/submit/route.ts'
import * as begin from '#app/(interaction)/start/route.ts'
import * as twoFactor from '#app/(interaction)/two-factor/submit/route.ts'
import * as avatars from '#app/avatars/[file]/route.ts'
import * as letterHtml from '#app/dev/inbox/html/[id]/route.ts'
import * as letterSource from '#app/dev/inbox/source/[id]/route.ts'
import * as language from '#app/language/route.ts'
import * as authorize from '#app/oauth2/authorize/route.ts'
import * as introspect from '#app/oauth2/introspect/route.ts'
import * as jwks from '#app/oauth2/jwks/route.ts'
import * as revoke from '#app/oauth2/revoke/route.ts'
import * as token from '#app/oauth2/token/route.ts'
import * as theme from '#app/theme/route.ts'
import * as userinfo from '#app/userinfo/route.ts'
import type { RouteModule } from '#lib/server/front-door/endpoint'

/** The protocol, on the issuer; `{}` stands for one path segment. */
export const endpoints: Record<string, RouteModule> = {
  '/.well-known/openid-configuration': openidConfiguration,
  '/.well-known/oauth-authorization-server': authorizationServer,
  '/oauth2/authorize': authorize,
  '/oauth2/token': token,
  '/oauth2/jwks': jwks,
  '/oauth2/introspect': introspect,
  '/oauth2/revoke': revoke,
  '/userinfo': userinfo,
  '/avatars/{}': avatars,
}
/** The steps between the pages a person sees, on the account host. */
export const journey: Record<string, RouteModule> = {
  '/language': language,
  '/theme': theme,
  '/start': begin,
  '/continue': proceed,
  '/return': giveBack,
  '/signin/submit': signIn,
  '/consent/submit': consent,
  '/bind-email/submit': bindEmail,
  '/bind-email/verify': bindEmailCode,
  '/bind-email/resend': bindEmailResend,
  '/recover/submit': recover,
  '/recover/verify': recoverCode,
  '/recover/resend': recoverResend,
  '/recover/finish': recoverFinish,
  '/account/email/submit': newAddress,
  '/account/email/verify': addressCode,
  '/account/email/resend': addressResend,
  '/account/email/remove/submit': addressRemoval,
  '/account/email/confirm/send': confirmationSend,
  '/account/email/confirm/verify': confirmation,
  '/account/hide-my-email/switch': aliasSwitch,
  '/account/hide-my-email/choice': aliasChoice,
  '/account/hide-my-email/test': aliasTest,
  '/dev/inbox/html/{}': letterHtml,
  '/dev/inbox/source/{}': letterSource,
  '/signout/submit': signOut,
  '/signup/submit': signUp,
  '/signup/check': nameCheck,
  '/passkey/options': passkeyOptions,
  '/passkey/signin': passkeySignIn,
  '/two-factor/submit': twoFactor,
  '/choose/submit': choose,
  '/recover/by-code/submit': recoverByCode,
  '/recover/review/submit': recoverReview,
  '/account/security/password/submit': passwordChange,
  '/account/security/passkeys/add': passkeyAdd,
  '/account/security/passkeys/rename': passkeyRename,
  '/account/security/passkeys/remove': passkeyRemove,
  '/account/security/authenticator/on': totpOn,
  '/account/security/authenticator/off': totpOff,
  '/account/security/codes/make': codesMake,
  '/account/security/codes/kept': codesKept,
  '/account/security/codes/download': codesDownload,
  '/account/security/sessions/end': sessionEnd,
  '/account/security/sessions/others': sessionsOthers,
  '/.well-known/change-password': changePassword,
  '/account/sharing/change': appChange,
  '/account/sharing/withdraw': appWithdrawal,
  '/account/profile/submit': profile,
  '/account/picture/submit': picture,
  '/account/picture/remove': pictureRemoval,
  '/account/data/download': download,
  '/account/data/delete/submit': deletion,
  '/account/data/keep': keep,
}

/** What Next shows, on the account host; for logs and metrics, which never hold a path. */
export const pages: string[] = [
  '/',
  '/account',
  '/account/activity',
  '/account/apps',
  '/account/apps/{}',
  '/account/data',
  '/account/data/delete',
  '/account/email',
  '/account/email/change',
  '/account/email/code',
  '/account/email/confirm',
  '/account/email/remove',
  '/account/hide-my-email',
  '/account/hide-my-email/{}',
  '/account/security',
  '/account/security/authenticator',
  '/account/security/codes',
  '/account/security/passkeys',
  '/account/security/password',
  '/bind-email',
  '/bind-email/code',
  '/choose',
  '/consent',
  '/dev/inbox',
  '/dev/inbox/{}',
  '/dev/ui',
  '/error',
  '/recover',
  '/recover/by-code',
  '/recover/code',
  '/recover/password',
  '/recover/review',
  '/signin',
  '/signout',
  '/signup',
  '/signup/codes',
  '/two-factor',
]

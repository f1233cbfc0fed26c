import type { RouteModule } from '#lib/front-door/endpoint'
import * as authorizationServer from './.well-known/oauth-authorization-server/route.ts'
import * as openidConfiguration from './.well-known/openid-configuration/route.ts'
import * as changePassword from './(account)/.well-known/change-password/route.ts'
import * as deletion from './(account)/account/data/delete/submit/route.ts'
import * as download from './(account)/account/data/download/route.ts'
import * as keep from './(account)/account/data/keep/route.ts'
import * as confirmationSend from './(account)/account/email/confirm/send/route.ts'
import * as confirmation from './(account)/account/email/confirm/verify/route.ts'
import * as addressRemoval from './(account)/account/email/remove/submit/route.ts'
import * as addressResend from './(account)/account/email/resend/route.ts'
import * as newAddress from './(account)/account/email/submit/route.ts'
import * as addressCode from './(account)/account/email/verify/route.ts'
import * as aliasChoice from './(account)/account/hide-my-email/choice/route.ts'
import * as aliasSwitch from './(account)/account/hide-my-email/switch/route.ts'
import * as aliasTest from './(account)/account/hide-my-email/test/route.ts'
import * as pictureRemoval from './(account)/account/picture/remove/route.ts'
import * as picture from './(account)/account/picture/submit/route.ts'
import * as profile from './(account)/account/profile/submit/route.ts'
import * as totpOff from './(account)/account/security/authenticator/off/route.ts'
import * as totpOn from './(account)/account/security/authenticator/on/route.ts'
import * as codesDownload from './(account)/account/security/codes/download/route.ts'
import * as codesKept from './(account)/account/security/codes/kept/route.ts'
import * as codesMake from './(account)/account/security/codes/make/route.ts'
import * as passkeyAdd from './(account)/account/security/passkeys/add/route.ts'
import * as passkeyRemove from './(account)/account/security/passkeys/remove/route.ts'
import * as passkeyRename from './(account)/account/security/passkeys/rename/route.ts'
import * as passwordChange from './(account)/account/security/password/submit/route.ts'
import * as sessionEnd from './(account)/account/security/sessions/end/route.ts'
import * as sessionsOthers from './(account)/account/security/sessions/others/route.ts'
import * as appChange from './(account)/account/sharing/change/route.ts'
import * as appWithdrawal from './(account)/account/sharing/withdraw/route.ts'
import * as bindEmailResend from './(interaction)/bind-email/resend/route.ts'
import * as bindEmail from './(interaction)/bind-email/submit/route.ts'
import * as bindEmailCode from './(interaction)/bind-email/verify/route.ts'
import * as choose from './(interaction)/choose/submit/route.ts'
import * as consent from './(interaction)/consent/submit/route.ts'
import * as proceed from './(interaction)/continue/route.ts'
import * as passkeyOptions from './(interaction)/passkey/options/route.ts'
import * as passkeySignIn from './(interaction)/passkey/signin/route.ts'
import * as recoverByCode from './(interaction)/recover/by-code/submit/route.ts'
import * as recoverFinish from './(interaction)/recover/finish/route.ts'
import * as recoverResend from './(interaction)/recover/resend/route.ts'
import * as recoverReview from './(interaction)/recover/review/submit/route.ts'
import * as recover from './(interaction)/recover/submit/route.ts'
import * as recoverCode from './(interaction)/recover/verify/route.ts'
import * as giveBack from './(interaction)/return/route.ts'
import * as signIn from './(interaction)/signin/submit/route.ts'
import * as signOut from './(interaction)/signout/submit/route.ts'
import * as nameCheck from './(interaction)/signup/check/route.ts'
import * as signUp from './(interaction)/signup/submit/route.ts'
import * as begin from './(interaction)/start/route.ts'
import * as twoFactor from './(interaction)/two-factor/submit/route.ts'
import * as avatars from './avatars/[file]/route.ts'
import * as letterHtml from './dev/inbox/html/[id]/route.ts'
import * as letterSource from './dev/inbox/source/[id]/route.ts'
import * as language from './language/route.ts'
import * as authorize from './oauth2/authorize/route.ts'
import * as introspect from './oauth2/introspect/route.ts'
import * as jwks from './oauth2/jwks/route.ts'
import * as revoke from './oauth2/revoke/route.ts'
import * as token from './oauth2/token/route.ts'
import * as theme from './theme/route.ts'
import * as userinfo from './userinfo/route.ts'

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

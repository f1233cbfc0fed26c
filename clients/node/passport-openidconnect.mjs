import express from 'express'
import session from 'express-session'
import passport from 'passport'
import Strategy from 'passport-openidconnect'
import { appUrl, clientId, clientSecret, fail, issuer, redirectUri, sendClaims } from './serve.mjs'

const settings = {
  issuer,
  authorizationURL: `${issuer}/oauth2/authorize`,
  tokenURL: `${issuer}/oauth2/token`,
  userInfoURL: `${issuer}/userinfo`,
  clientID: clientId,
  clientSecret,
  callbackURL: redirectUri,
  scope: ['profile', 'email'],
}
passport.use(new Strategy(settings, (_issuer, profile, done) => done(null, profile)))

const app = express()
app.use(session({ secret: 'of the tests', resave: false, saveUninitialized: false }))
app.get('/sign-in', passport.authenticate('openidconnect'))
app.get(
  '/callback',
  passport.authenticate('openidconnect', { session: false, failWithError: true }),
  (request, response) =>
    sendClaims(response, {
      sub: request.user.id,
      name: request.user.displayName,
      email: request.user.emails?.[0]?.value,
    }),
)
app.use((fault, _request, response, _next) => fail(response, fault))
app.listen(Number(new URL(appUrl).port), 'localhost')

#!/bin/sh
# Runs oauth2-proxy with the configuration of docs/clients.md.
set -eu
sed -n '/^```toml$/,/^```$/p' ../../docs/clients.md | sed \
  -e '/^```/d' \
  -e "s|https://id.example|$ISSUER|" \
  -e "s|acme-web|$CLIENT_ID|" \
  -e "s|^client_secret = .*|client_secret = \"$CLIENT_SECRET\"|" \
  -e "s|^cookie_secret = .*|cookie_secret = \"0123456789abcdef0123456789abcdef\"|" \
  -e "s|https://app.example|$APP_URL|" \
  -e "s|127.0.0.1:4180|127.0.0.1:$PORT|" >.bin/oauth2-proxy.cfg
exec .bin/oauth2-proxy --config .bin/oauth2-proxy.cfg

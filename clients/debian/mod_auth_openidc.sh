#!/bin/sh
# Runs Apache with the configuration of docs/clients.md, and a page that shows the claims of the person.
set -eu
home=$PWD/.run
modules=/usr/lib/apache2/modules
rm -rf "$home"
mkdir -p "$home/pages/secure"
cat >"$home/pages/secure/index.shtml" <<'PAGE'
{"sub":"<!--#echo encoding="none" var="OIDC_CLAIM_sub" -->","name":"<!--#echo encoding="none" var="OIDC_CLAIM_name" -->","email":"<!--#echo encoding="none" var="OIDC_CLAIM_email" -->"}
PAGE
{
  for module in mpm_prefork authn_core authz_core authz_user mime dir include auth_openidc; do
    echo "LoadModule ${module}_module $modules/mod_$module.so"
  done
  cat <<CONFIGURATION
User www-data
Group www-data
ServerRoot $home
ServerName localhost
DefaultRuntimeDir $home
PidFile $home/pid
TypesConfig /dev/null
ErrorLog $home/log
Listen $PORT
DocumentRoot $home/pages
DirectoryIndex index.shtml
<Directory $home/pages>
  Require all granted
  Options +Includes
  AddOutputFilter INCLUDES .shtml
</Directory>
CONFIGURATION
  sed -n '/^```apache$/,/^```$/p' ../../docs/clients.md | sed \
    -e '/^```/d' \
    -e "s|https://id.example|$ISSUER|" \
    -e "s|acme-web|$CLIENT_ID|" \
    -e "s|^OIDCClientSecret .*|OIDCClientSecret $CLIENT_SECRET|" \
    -e "s|^OIDCCryptoPassphrase .*|OIDCCryptoPassphrase a-passphrase-of-the-tests|" \
    -e "s|https://app.example|$APP_URL|"
} >"$home/apache.conf"
exec /usr/sbin/apache2 -X -f "$home/apache.conf"

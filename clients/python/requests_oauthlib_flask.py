import requests
from flask import Flask, redirect, request, session
from requests_oauthlib import OAuth2Session
from serve import CLIENT_ID, CLIENT_SECRET, ISSUER, REDIRECT_URI, serve

app = Flask(__name__)
app.secret_key = "of the tests"
provider = requests.get(f"{ISSUER}/.well-known/openid-configuration", timeout=10).json()
scope = ["openid", "profile", "email"]


@app.get("/sign-in")
def sign_in():
    client = OAuth2Session(CLIENT_ID, redirect_uri=REDIRECT_URI, scope=scope)
    url, session["state"] = client.authorization_url(provider["authorization_endpoint"])
    return redirect(url)


@app.get("/callback")
def finish():
    client = OAuth2Session(CLIENT_ID, redirect_uri=REDIRECT_URI, scope=scope, state=session["state"])
    client.fetch_token(provider["token_endpoint"], client_secret=CLIENT_SECRET, authorization_response=request.url)
    return client.get(provider["userinfo_endpoint"]).json()


serve(app)

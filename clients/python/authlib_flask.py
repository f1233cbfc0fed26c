from authlib.integrations.flask_client import OAuth
from flask import Flask
from serve import CLIENT_ID, CLIENT_SECRET, ISSUER, REDIRECT_URI, serve

app = Flask(__name__)
app.secret_key = "of the tests"
oauth = OAuth(app)
oauth.register(
    "postern",
    server_metadata_url=f"{ISSUER}/.well-known/openid-configuration",
    client_id=CLIENT_ID,
    client_secret=CLIENT_SECRET,
    client_kwargs={"scope": "openid profile email"},
)


@app.get("/sign-in")
def sign_in():
    return oauth.postern.authorize_redirect(REDIRECT_URI)


@app.get("/callback")
def finish():
    token = oauth.postern.authorize_access_token()
    person = oauth.postern.userinfo()
    assert person["sub"] == token["userinfo"]["sub"]
    return dict(person)


serve(app)

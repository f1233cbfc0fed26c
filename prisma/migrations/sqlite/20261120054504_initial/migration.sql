-- CreateTable
CREATE TABLE "Team" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "App" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "teamId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "profile" TEXT NOT NULL,
    "redirectUris" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "requiredScopes" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "logoFile" TEXT,
    "homepage" TEXT NOT NULL,
    "policyUri" TEXT NOT NULL,
    "tosUri" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "disabledAt" DATETIME,
    CONSTRAINT "App_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AppSecret" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "appId" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME,
    CONSTRAINT "AppSecret_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AppKey" (
    "appId" TEXT NOT NULL,
    "kid" TEXT NOT NULL,
    "jwk" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("appId", "kid"),
    CONSTRAINT "AppKey_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Person" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "username" TEXT NOT NULL,
    "passwordHash" TEXT,
    "email" TEXT,
    "name" TEXT NOT NULL,
    "nickname" TEXT NOT NULL,
    "biography" TEXT NOT NULL,
    "gender" TEXT NOT NULL,
    "birthdate" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "locale" TEXT NOT NULL,
    "avatarFile" TEXT,
    "profileUpdatedAt" DATETIME NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "disabledAt" DATETIME
);

-- CreateTable
CREATE TABLE "Picture" (
    "file" TEXT NOT NULL PRIMARY KEY,
    "mediaType" TEXT NOT NULL,
    "bytes" BLOB NOT NULL,
    "createdAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Subject" (
    "personId" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "sub" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("personId", "teamId"),
    CONSTRAINT "Subject_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "Subject_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Session" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "personId" TEXT NOT NULL,
    "publicId" TEXT NOT NULL,
    "amr" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "authenticatedAt" DATETIME NOT NULL,
    "lastSeenAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "endedAt" DATETIME,
    CONSTRAINT "Session_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Consent" (
    "personId" TEXT NOT NULL,
    "appId" TEXT NOT NULL,
    "granted" TEXT NOT NULL,
    "declined" TEXT NOT NULL,
    "emailChoice" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,

    PRIMARY KEY ("personId", "appId"),
    CONSTRAINT "Consent_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Consent_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Authorization" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "requestId" TEXT NOT NULL,
    "appId" TEXT NOT NULL,
    "personId" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "sub" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "emailChoice" TEXT NOT NULL,
    "redirectUri" TEXT NOT NULL,
    "nonce" TEXT,
    "challenge" TEXT,
    "authTime" DATETIME NOT NULL,
    "authTimeWanted" BOOLEAN NOT NULL,
    "acr" TEXT NOT NULL,
    "amr" TEXT NOT NULL,
    "salt" TEXT NOT NULL,
    "codeHash" TEXT NOT NULL,
    "codeExpiresAt" DATETIME NOT NULL,
    "codeSpentAt" DATETIME,
    "refreshHash" TEXT,
    "previousRefreshHash" TEXT,
    "rotatedAt" DATETIME,
    "refreshIdleUntil" DATETIME,
    "refreshUntil" DATETIME,
    "revokedAt" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "keepUntil" DATETIME NOT NULL,
    CONSTRAINT "Authorization_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Authorization_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RevokedToken" (
    "jti" TEXT NOT NULL PRIMARY KEY,
    "expiresAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "UsedAssertion" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "expiresAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "SigningKey" (
    "kid" TEXT NOT NULL PRIMARY KEY,
    "generation" INTEGER NOT NULL,
    "publicJwk" TEXT NOT NULL,
    "sealedPrivate" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "currentFrom" DATETIME NOT NULL,
    "retiredAt" DATETIME,
    "goneAt" DATETIME
);

-- CreateTable
CREATE TABLE "Failure" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "appId" TEXT NOT NULL,
    "endpoint" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "detail" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "firstAt" DATETIME NOT NULL,
    "lastAt" DATETIME NOT NULL,
    CONSTRAINT "Failure_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Attempt" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "points" INTEGER NOT NULL,
    "expire" DATETIME
);

-- CreateTable
CREATE TABLE "Lease" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "holder" TEXT NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "App_teamId_idx" ON "App"("teamId");

-- CreateIndex
CREATE INDEX "AppSecret_appId_idx" ON "AppSecret"("appId");

-- CreateIndex
CREATE UNIQUE INDEX "Person_username_key" ON "Person"("username");

-- CreateIndex
CREATE UNIQUE INDEX "Person_email_key" ON "Person"("email");

-- CreateIndex
CREATE UNIQUE INDEX "Subject_sub_key" ON "Subject"("sub");

-- CreateIndex
CREATE UNIQUE INDEX "Session_publicId_key" ON "Session"("publicId");

-- CreateIndex
CREATE INDEX "Session_personId_idx" ON "Session"("personId");

-- CreateIndex
CREATE INDEX "Session_expiresAt_idx" ON "Session"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "Authorization_requestId_key" ON "Authorization"("requestId");

-- CreateIndex
CREATE UNIQUE INDEX "Authorization_codeHash_key" ON "Authorization"("codeHash");

-- CreateIndex
CREATE INDEX "Authorization_personId_appId_idx" ON "Authorization"("personId", "appId");

-- CreateIndex
CREATE INDEX "Authorization_keepUntil_idx" ON "Authorization"("keepUntil");

-- CreateIndex
CREATE INDEX "RevokedToken_expiresAt_idx" ON "RevokedToken"("expiresAt");

-- CreateIndex
CREATE INDEX "UsedAssertion_expiresAt_idx" ON "UsedAssertion"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "SigningKey_generation_key" ON "SigningKey"("generation");

-- CreateIndex
CREATE INDEX "Failure_appId_lastAt_idx" ON "Failure"("appId", "lastAt");

-- CreateIndex
CREATE INDEX "Attempt_expire_idx" ON "Attempt"("expire");

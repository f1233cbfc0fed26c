-- AlterTable
ALTER TABLE "Person" ADD COLUMN "mailPausedAt" DATETIME;

-- CreateTable
CREATE TABLE "MailDomain" (
    "appId" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "proof" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "checkedAt" DATETIME,
    "verifiedAt" DATETIME,

    PRIMARY KEY ("appId", "domain"),
    CONSTRAINT "MailDomain_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "FormerEmail" (
    "personId" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "until" DATETIME NOT NULL,

    PRIMARY KEY ("personId", "address"),
    CONSTRAINT "FormerEmail_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ReturnedMail" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "personId" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    CONSTRAINT "ReturnedMail_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ReverseAddress" (
    "token" TEXT NOT NULL PRIMARY KEY,
    "aliasName" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME NOT NULL,
    CONSTRAINT "ReverseAddress_aliasName_fkey" FOREIGN KEY ("aliasName") REFERENCES "Alias" ("address") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ThreadMark" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "aliasName" TEXT NOT NULL,
    "original" TEXT,
    "expiresAt" DATETIME NOT NULL,
    CONSTRAINT "ThreadMark_aliasName_fkey" FOREIGN KEY ("aliasName") REFERENCES "Alias" ("address") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RelayReceipt" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "expiresAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "MailKey" (
    "selector" TEXT NOT NULL PRIMARY KEY,
    "algorithm" TEXT NOT NULL,
    "generation" INTEGER NOT NULL,
    "publicKey" TEXT NOT NULL,
    "sealedPrivate" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "currentFrom" DATETIME,
    "retiredAt" DATETIME
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_Alias" (
    "address" TEXT NOT NULL PRIMARY KEY,
    "personId" TEXT,
    "appId" TEXT,
    "createdAt" DATETIME NOT NULL,
    "disabledAt" DATETIME,
    "forwarded" INTEGER NOT NULL DEFAULT 0,
    "blocked" INTEGER NOT NULL DEFAULT 0,
    "replied" INTEGER NOT NULL DEFAULT 0,
    "lastMailAt" DATETIME,
    CONSTRAINT "Alias_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "Alias_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);
INSERT INTO "new_Alias" ("address", "appId", "createdAt", "disabledAt", "personId") SELECT "address", "appId", "createdAt", "disabledAt", "personId" FROM "Alias";
DROP TABLE "Alias";
ALTER TABLE "new_Alias" RENAME TO "Alias";
CREATE INDEX "Alias_appId_idx" ON "Alias"("appId");
CREATE UNIQUE INDEX "Alias_personId_appId_key" ON "Alias"("personId", "appId");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

-- CreateIndex
CREATE INDEX "ReturnedMail_personId_at_idx" ON "ReturnedMail"("personId", "at");

-- CreateIndex
CREATE INDEX "ReturnedMail_at_idx" ON "ReturnedMail"("at");

-- CreateIndex
CREATE INDEX "ReverseAddress_aliasName_idx" ON "ReverseAddress"("aliasName");

-- CreateIndex
CREATE INDEX "ReverseAddress_lastUsedAt_idx" ON "ReverseAddress"("lastUsedAt");

-- CreateIndex
CREATE INDEX "ThreadMark_aliasName_idx" ON "ThreadMark"("aliasName");

-- CreateIndex
CREATE INDEX "ThreadMark_expiresAt_idx" ON "ThreadMark"("expiresAt");

-- CreateIndex
CREATE INDEX "RelayReceipt_expiresAt_idx" ON "RelayReceipt"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "MailKey_generation_algorithm_key" ON "MailKey"("generation", "algorithm");

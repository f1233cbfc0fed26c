-- AlterTable
ALTER TABLE "Person" ADD COLUMN     "mailPausedAt" TIMESTAMP(3);

-- AlterTable
ALTER TABLE "Alias" ADD COLUMN     "blocked" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "forwarded" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "lastMailAt" TIMESTAMP(3),
ADD COLUMN     "replied" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "MailDomain" (
    "appId" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "proof" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "checkedAt" TIMESTAMP(3),
    "verifiedAt" TIMESTAMP(3),

    CONSTRAINT "MailDomain_pkey" PRIMARY KEY ("appId","domain")
);

-- CreateTable
CREATE TABLE "FormerEmail" (
    "personId" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "until" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "FormerEmail_pkey" PRIMARY KEY ("personId","address")
);

-- CreateTable
CREATE TABLE "ReturnedMail" (
    "id" TEXT NOT NULL,
    "personId" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ReturnedMail_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ReverseAddress" (
    "token" TEXT NOT NULL,
    "aliasName" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "lastUsedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ReverseAddress_pkey" PRIMARY KEY ("token")
);

-- CreateTable
CREATE TABLE "ThreadMark" (
    "id" TEXT NOT NULL,
    "aliasName" TEXT NOT NULL,
    "original" TEXT,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ThreadMark_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RelayReceipt" (
    "id" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "RelayReceipt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "MailKey" (
    "selector" TEXT NOT NULL,
    "algorithm" TEXT NOT NULL,
    "generation" INTEGER NOT NULL,
    "publicKey" TEXT NOT NULL,
    "sealedPrivate" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "currentFrom" TIMESTAMP(3),
    "retiredAt" TIMESTAMP(3),

    CONSTRAINT "MailKey_pkey" PRIMARY KEY ("selector")
);

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

-- CreateIndex
CREATE INDEX "Alias_appId_idx" ON "Alias"("appId");

-- AddForeignKey
ALTER TABLE "MailDomain" ADD CONSTRAINT "MailDomain_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "FormerEmail" ADD CONSTRAINT "FormerEmail_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReturnedMail" ADD CONSTRAINT "ReturnedMail_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReverseAddress" ADD CONSTRAINT "ReverseAddress_aliasName_fkey" FOREIGN KEY ("aliasName") REFERENCES "Alias"("address") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ThreadMark" ADD CONSTRAINT "ThreadMark_aliasName_fkey" FOREIGN KEY ("aliasName") REFERENCES "Alias"("address") ON DELETE CASCADE ON UPDATE CASCADE;

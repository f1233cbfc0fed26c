-- AlterTable
ALTER TABLE "TeamAct" ADD COLUMN     "tokenName" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "TeamToken" (
    "id" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "personId" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "lastUsedAt" TIMESTAMP(3),

    CONSTRAINT "TeamToken_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RegistrationToken" (
    "id" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "personId" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "profile" TEXT NOT NULL,
    "remaining" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "RegistrationToken_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ManagementToken" (
    "appId" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ManagementToken_pkey" PRIMARY KEY ("appId")
);

-- CreateIndex
CREATE UNIQUE INDEX "TeamToken_hash_key" ON "TeamToken"("hash");

-- CreateIndex
CREATE INDEX "TeamToken_teamId_idx" ON "TeamToken"("teamId");

-- CreateIndex
CREATE INDEX "TeamToken_personId_idx" ON "TeamToken"("personId");

-- CreateIndex
CREATE INDEX "TeamToken_expiresAt_idx" ON "TeamToken"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "RegistrationToken_hash_key" ON "RegistrationToken"("hash");

-- CreateIndex
CREATE INDEX "RegistrationToken_teamId_idx" ON "RegistrationToken"("teamId");

-- CreateIndex
CREATE INDEX "RegistrationToken_personId_idx" ON "RegistrationToken"("personId");

-- CreateIndex
CREATE INDEX "RegistrationToken_expiresAt_idx" ON "RegistrationToken"("expiresAt");

-- AddForeignKey
ALTER TABLE "TeamToken" ADD CONSTRAINT "TeamToken_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TeamToken" ADD CONSTRAINT "TeamToken_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RegistrationToken" ADD CONSTRAINT "RegistrationToken_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RegistrationToken" ADD CONSTRAINT "RegistrationToken_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ManagementToken" ADD CONSTRAINT "ManagementToken_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App"("id") ON DELETE CASCADE ON UPDATE CASCADE;

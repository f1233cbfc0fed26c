-- CreateTable
CREATE TABLE "SentMessage" (
    "id" TEXT NOT NULL,
    "aliasName" TEXT NOT NULL,
    "prints" BYTEA NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "SentMessage_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "SentMessage_aliasName_createdAt_idx" ON "SentMessage"("aliasName", "createdAt");

-- CreateIndex
CREATE INDEX "SentMessage_expiresAt_idx" ON "SentMessage"("expiresAt");

-- AddForeignKey
ALTER TABLE "SentMessage" ADD CONSTRAINT "SentMessage_aliasName_fkey" FOREIGN KEY ("aliasName") REFERENCES "Alias"("address") ON DELETE CASCADE ON UPDATE CASCADE;

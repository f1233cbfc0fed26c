-- CreateTable
CREATE TABLE "SentMessage" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "aliasName" TEXT NOT NULL,
    "prints" BLOB NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    CONSTRAINT "SentMessage_aliasName_fkey" FOREIGN KEY ("aliasName") REFERENCES "Alias" ("address") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "SentMessage_aliasName_createdAt_idx" ON "SentMessage"("aliasName", "createdAt");

-- CreateIndex
CREATE INDEX "SentMessage_expiresAt_idx" ON "SentMessage"("expiresAt");

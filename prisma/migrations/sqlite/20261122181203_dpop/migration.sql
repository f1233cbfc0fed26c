-- AlterTable
ALTER TABLE "Authorization" ADD COLUMN "dpopJkt" TEXT;

-- CreateTable
CREATE TABLE "UsedProof" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "expiresAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "UsedProof_expiresAt_idx" ON "UsedProof"("expiresAt");

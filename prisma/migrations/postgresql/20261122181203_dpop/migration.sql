-- AlterTable
ALTER TABLE "Authorization" ADD COLUMN     "dpopJkt" TEXT;

-- CreateTable
CREATE TABLE "UsedProof" (
    "id" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "UsedProof_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "UsedProof_expiresAt_idx" ON "UsedProof"("expiresAt");

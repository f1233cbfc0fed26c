-- AlterTable
ALTER TABLE "Authorization" ADD COLUMN "claimValues" TEXT NOT NULL DEFAULT '';

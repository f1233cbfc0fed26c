-- AlterTable
ALTER TABLE "Session" ADD COLUMN "english" TEXT NOT NULL DEFAULT '';

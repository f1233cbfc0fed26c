-- AlterTable
ALTER TABLE "Person" ADD COLUMN "passwordSetAt" DATETIME;
